package planted.lock.core;

import io.holdfast.build.architecture.Violates;

@Violates("threads are made in one place")
final class MisplacedThread extends Thread {}
