package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import java.util.function.Function;

/** How a provider is opened. */
interface Opening {

    TextbookProvider open(String servers, String root);

    /** Makes a provider. */
    interface Maker {
        TextbookProvider make(Connection connection, String root);
    }

    /** Makes the claims of a provider. */
    interface ClaimMaker {
        TextbookClaim make(TextbookProvider provider, ClaimRequest request, ClaimSignals signals);
    }

    /** A provider with other steps. */
    static Opening of(Maker maker) {
        return (servers, root) -> maker.make(new Connection(servers), root);
    }

    /** A provider with other claims. */
    static Opening ofClaims(ClaimMaker maker) {
        return of((connection, root) -> new TextbookProvider(connection, root) {
            @Override
            TextbookClaim claim(ClaimRequest request, ClaimSignals signals) {
                return maker.make(this, request, signals);
            }
        });
    }

    /** A provider with another connection. */
    static Opening ofConnection(Function<String, Connection> maker) {
        return (servers, root) -> new TextbookProvider(maker.apply(servers), root);
    }
}
