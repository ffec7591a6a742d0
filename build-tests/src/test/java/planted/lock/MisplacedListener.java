package planted.lock;

import io.holdfast.build.architecture.Violates;

@Violates("what can be implemented is listed")
interface MisplacedListener {}
