package planted.lock;

@ApiStatus
public @interface ApiStatus {}
