package io.holdfast.lock.tck;

/** Which call of a claim is the first to ask the store. */
enum FirstCall {
    RENEWAL_FIRST,
    ATTEMPT_FIRST,
    RELEASE_FIRST
}
