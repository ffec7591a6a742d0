package io.holdfast.examples.memcached;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import io.holdfast.lock.spi.ServerAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Makes the provider of {@code memcached://host[:port]}, with the parameters {@code timeout} (how long a call may take, 2s) and
 * {@code prefix} (what the keys of the locks begin with, {@code holdfast:}).
 */
public final class MemcachedProviderFactory implements LockProviderFactory {

    private static final ServerAddress.Form FORM =
            new ServerAddress.Form("memcached", "memcached://host[:port]", 11_211);
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    /** For {@link java.util.ServiceLoader}. */
    public MemcachedProviderFactory() {}

    @Override
    public Set<String> schemes() {
        return Set.of("memcached");
    }

    @Override
    public LockProvider create(URI uri, ConnectionParameters parameters) {
        ServerAddress server = ServerAddress.of(uri, FORM);
        if (server.user().isPresent() || server.password().isPresent()) {
            throw new LockConfigurationException(
                    "The memcached URI has a user or a password; allowed is " + FORM.pattern());
        }
        String path = uri.getRawPath();
        if (path != null && path.length() > 1) {
            throw new LockConfigurationException("The memcached URI has a path; allowed is " + FORM.pattern());
        }
        Duration timeout =
                parameters.duration("timeout", Duration.ofSeconds(2), Duration.ofMillis(10), Duration.ofMinutes(1));
        String prefix = parameters.text(
                "prefix", "holdfast:", PREFIX, "1 to 64 letters, digits, dots, underscores, colons and hyphens");
        parameters.rejectUnknown();
        return new MemcachedProvider(server, prefix, timeout);
    }
}
