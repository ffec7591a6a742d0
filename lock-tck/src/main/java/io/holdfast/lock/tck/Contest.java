package io.holdfast.lock.tck;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What several processes compete for.
 *
 * @param names of the locks
 * @param lease of each grant
 * @param threads of each process
 * @param uri by which they connect
 * @param properties parameters that are not in the URI
 */
record Contest(List<String> names, Duration lease, int threads, String uri, Map<String, String> properties) {}
