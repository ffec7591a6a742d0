package io.holdfast.lock.core.client;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.core.claim.ClientIdentity;
import io.holdfast.lock.core.runtime.EngineRuntime;
import io.holdfast.lock.core.runtime.EngineThreads;
import io.holdfast.lock.engine.ClientSettings;
import io.holdfast.lock.engine.LockEngine;
import io.holdfast.lock.spi.LockProvider;
import java.util.Objects;

/** The engine as {@link java.util.ServiceLoader} finds it. */
public final class CoreLockEngine implements LockEngine {

    /** For {@link java.util.ServiceLoader}. */
    public CoreLockEngine() {}

    @Override
    public LockClient open(LockProvider provider, ClientSettings settings) {
        Objects.requireNonNull(provider, "provider");
        Objects.requireNonNull(settings, "settings");
        ClientIdentity identity = new ClientIdentity();
        EngineRuntime threads = EngineThreads.start(identity.shortId());
        try {
            return new EngineClient(provider, settings, identity, threads);
        } catch (RuntimeException | Error broken) {
            threads.shutdown().run();
            throw broken;
        }
    }
}
