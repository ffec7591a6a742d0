package planted.lock.core;

/** Obeys: two types that know each other, and one that is not known back. */
record SmallCircle(SmallCircleOther other, CircleStart outside) {}
