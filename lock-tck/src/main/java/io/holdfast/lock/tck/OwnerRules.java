package io.holdfast.lock.tck;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** Owners and claims whose ids a store may cut, decode or run together: chapters 4 and 5. */
interface OwnerRules extends Rules {

    /** What a store may put between an owner and something else, or read as more than itself. */
    List<String> SEPARATORS = List.of(
            "|",
            ":",
            ",",
            ";",
            "/",
            "\\",
            "%",
            "%7C",
            "+",
            "#",
            "@",
            "=",
            "&",
            "-",
            "_",
            ".",
            " ",
            "\"",
            "'",
            "`",
            "{}",
            "[1]",
            "<a>",
            "\n",
            "\t",
            "\r\n",
            "\u0001",
            "\u001F",
            "\u0085",
            "\u00A0",
            "\u00E9",
            "\u20AC",
            "\uD83D\uDD12",
            "\uFEFF");

    @LockRule({"4.1", "4.4"})
    default void rule44_ownersWithSeparatorsAreKeptApart() throws Exception {
        LockProvider provider = kit().provider();
        LockProvider observer = kit().provider();
        Crowd.together(SEPARATORS.stream().map(separator -> () -> {
            String first = "a" + UUID.randomUUID();
            String owner = first + separator + "b";
            DrivenClaim holder =
                    kit().claim(provider, kit().newName()).by(owner).lasting().makeGranted();
            Assertions.assertEquals(
                    Optional.of(owner),
                    observer.holder(holder.name()).map(LockHolder::owner),
                    "the owner that is shown as the holder");
            for (String other : List.of(
                    first, first + separator, owner + separator, first + separator + "c", "b", separator + "b")) {
                DrivenClaim rival =
                        kit().claim(observer, holder.name()).by(other).once().make();
                rival.mustBeContended("its owner is " + TrickyNames.shown(other) + ", and the lock is held by "
                        + TrickyNames.shown(owner));
                rival.mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
            }
            if (Capability.COUNTED_BY_STORE.isMetBy(kit().capabilities())) {
                DrivenClaim nested =
                        kit().claim(observer, holder.name()).by(owner).lasting().make();
                nested.mustBeGranted("its owner " + TrickyNames.shown(owner) + " holds the lock");
                nested.mustRelease(Release.RELEASED, "it holds the lock");
            }
            holder.mustRenew("nobody else has its owner " + TrickyNames.shown(owner));
            holder.mustRelease(Release.RELEASED, "nobody else has its owner " + TrickyNames.shown(owner));
        }));
    }

    /** A store may find an owner's hold by one text for name and owner. */
    @LockRule({"1.1", "1.4", "4.4"})
    default void rule44_namesAndOwnersThatRunTogetherAreKeptApart() throws Exception {
        LockProvider provider = kit().provider();
        LockProvider observer = kit().provider();
        Crowd.together(Stream.concat(Stream.of(""), SEPARATORS.stream()).map(separator -> () -> {
            DrivenClaim first = kit().claim(provider, kit().newName())
                    .by("b" + separator + "c")
                    .lasting()
                    .makeGranted();
            Optional<DrivenClaim> next = kit().unlessRefused(() -> kit().claim(provider, first.name() + separator + "b")
                            .lasting()
                            .makeGranted())
                    .map(holder -> passedOn(first, holder));
            first.mustRelease(Release.RELEASED, "it holds the lock");
            next.ifPresent(claim -> {
                String because = "it holds the lock; only " + TrickyNames.shown(first.name()) + " was released";
                kit().visitor(observer, claim.name()).mustBeContended(because);
                claim.mustRelease(Release.RELEASED, because);
            });
        }));
    }

    /** Passes a lock on to the owner that makes the same text with its name as another owner with the name of its lock. */
    private DrivenClaim passedOn(DrivenClaim first, DrivenClaim holder) {
        ClaimSpec alike = kit().claim(first.provider(), holder.name()).by("c");
        String because = "the lock " + TrickyNames.shown(first.name()) + ", which " + TrickyNames.shown(first.ownerId())
                + " holds, is another one";
        alike.once().make().mustBeContended("the lock has another owner; " + because);
        holder.mustRelease(Release.RELEASED, because);
        DrivenClaim next = alike.lasting().make();
        next.mustBeGranted("its holder has released it; " + because);
        return next;
    }

    @LockRule({"4.4", "5.1"})
    default void rule51_claimsWhoseOwnerAndIdRunTogetherAreKeptApart() {
        LockProvider provider = kit().provider();
        String id = UUID.randomUUID().toString();
        String own = UUID.randomUUID().toString().substring(0, 8);
        // Each owner and id, one after the other, make the same text as those of the holder: as
        // they are, or with a hyphen.
        String[][] pairs = {
            {"o-" + own, id, "o", own + "-" + id},
            {"o", own + "-" + id, "o-" + own, id},
            {"o" + own, id, "o", own + id},
            {"o", own + id, "o" + own, id}
        };
        for (String[] pair : pairs) {
            ClaimSpec spec = kit().claim(provider, kit().newName()).lasting();
            DrivenClaim holder = spec.by(pair[0]).make(pair[1]);
            holder.mustBeGranted("nobody holds the lock");
            DrivenClaim other = spec.by(pair[2]).make(pair[3]);
            String because = "it is claim " + pair[3] + " of owner " + pair[2] + ", and the lock is held by claim "
                    + pair[1] + " of owner " + pair[0];
            other.mustBeContended(because);
            other.mustBeLost(because);
            other.mustRelease(Release.NOT_HELD, because);
            holder.mustRenew("nobody has released it");
            holder.mustRelease(Release.RELEASED, "nobody has released it before");
        }
    }
}
