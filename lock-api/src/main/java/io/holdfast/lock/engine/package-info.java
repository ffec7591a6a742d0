/** How the API opens a client: the engine ({@code io.holdfast:lock-core}) implements this, and nobody else needs it. */
@NullMarked
package io.holdfast.lock.engine;

import org.jspecify.annotations.NullMarked;
