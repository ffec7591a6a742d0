/**
 * A backend to copy: locks in the files of a directory, for the processes of one machine. {@link
 * io.holdfast.examples.lockfile.LockFileClaim} is the one to read first.
 */
@NullMarked
package io.holdfast.examples.lockfile;

import org.jspecify.annotations.NullMarked;
