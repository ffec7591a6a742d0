package io.holdfast.lock.zookeeper;

import java.util.List;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/**
 * The two common access control lists. Those in {@code ZooDefs.Ids} have annotations whose classes are missing at compile time.
 */
final class Acls {

    /** Everybody has all permissions. */
    static final List<ACL> OPEN = List.of(new ACL(ZooDefs.Perms.ALL, new Id("world", "anyone")));

    /** Clients with the credentials of the creator have all permissions, others none. */
    static final List<ACL> CREATOR = List.of(new ACL(ZooDefs.Perms.ALL, new Id("auth", "")));

    private Acls() {}
}
