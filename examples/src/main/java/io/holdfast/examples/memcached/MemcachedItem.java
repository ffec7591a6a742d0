package io.holdfast.examples.memcached;

/**
 * An item as {@code gets} shows it.
 *
 * @param value its value
 * @param unique the number of the write that made it, among all writes since the server was started
 */
record MemcachedItem(String value, long unique) {}
