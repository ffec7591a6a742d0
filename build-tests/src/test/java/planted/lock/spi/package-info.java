/** The SPI of the miniature. */
@NullMarked
package planted.lock.spi;

import org.jspecify.annotations.NullMarked;
