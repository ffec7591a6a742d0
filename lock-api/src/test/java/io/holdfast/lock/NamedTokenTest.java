package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamedTokenTest {

    private static final NamedToken TOKEN = new NamedToken("stock:42", 3, new FencingToken(1764));

    @Test
    void textIsEpochNumberAndName() {
        assertThat(TOKEN.encode()).isEqualTo("3:1764:stock%3A42");
    }

    @ParameterizedTest
    @ValueSource(strings = {"stock:42", "a b", "a+b", "%41", "Lager \u00e4\u20ac", "\uD83D\uDD12", ":", "\0", "~*"})
    void everyNameIsReadAgain(String name) {
        NamedToken token = new NamedToken(name, Integer.MAX_VALUE, new FencingToken(Long.MAX_VALUE));

        assertThat(token.encode()).matches("[!-~]+");
        assertThat(NamedToken.parse(token.encode())).isEqualTo(token);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1764",
                "0:1764",
                "0:1764:",
                "0:0:a",
                "-1:1764:a",
                "00:1764:a",
                "0:01764:a",
                "0:+1764:a",
                "0:9223372036854775808:a",
                "2147483648:1:a",
                "0:1:a ",
                "0:1:a b",
                "0:1:a:b",
                "0:1:%",
                "0:1:%e4",
                "0:1:%41",
                "0:1:a%3a",
                "0:1:%FF",
                "0:1:a\n"
            })
    void anyOtherTextIsRefused(String text) {
        assertThatThrownBy(() -> NamedToken.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is not the text of a token; allowed is epoch:number:name, such as"
                        + " 0:1764:stock%3A42");
    }

    @Test
    void longTextIsShownInPart() {
        assertThatThrownBy(() -> NamedToken.parse("x".repeat(10_000)))
                .hasMessageStartingWith("'" + "x".repeat(80) + "...' is not the text of a token");
    }

    @ParameterizedTest
    @CsvSource({"3, 1763, false", "3, 1764, false", "3, 1765, true", "2, 1765, false", "4, 0, true"})
    void floorIsComparedByEpochFirst(int floorEpoch, long floor, boolean below) {
        assertThat(TOKEN.isBelow(floorEpoch, floor)).isEqualTo(below);
    }

    @Test
    void tokenOfAnotherLockIsRefused() {
        TOKEN.requireLock("stock:42");
        assertThatThrownBy(() -> TOKEN.requireLock("stock:43"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Token 1764 is of the lock 'stock:42'; allowed is one of the lock 'stock:43'");
        assertThatThrownBy(() -> TOKEN.requireLock("Stock:42")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void staleTokenAndTokenOfAnEarlierEpochHaveMessagesOfTheirOwn() {
        assertThat(new StaleTokenException(TOKEN, 3, 1800))
                .hasMessage(
                        "Token 1764 of the lock 'stock:42' is stale: the resource has seen token 1800. A later holder"
                                + " was there, or the lock store lost its data and its tokens fell back");
        assertThat(new StaleTokenException(TOKEN, 4, 2).token()).isEqualTo(TOKEN);
        assertThat(new StaleTokenException(TOKEN, 4, 2))
                .hasMessage(
                        "Token 1764 of the lock 'stock:42' is from epoch 3, before the lock store lost its data: the"
                                + " resource has seen epoch 4");
    }

    @Test
    void negativeEpochIsRefused() {
        assertThatThrownBy(() -> TOKEN.inEpoch(-1)).hasMessage("An epoch is 0 or greater, not -1");
        assertThat(TOKEN.inEpoch(4).epoch()).isEqualTo(4);
    }
}
