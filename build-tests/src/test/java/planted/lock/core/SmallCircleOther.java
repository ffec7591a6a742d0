package planted.lock.core;

/** Obeys. */
record SmallCircleOther(SmallCircle back) {}
