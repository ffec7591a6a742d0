package io.holdfast.lock.zookeeper;

import java.util.List;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/** The access control lists that most applications want. */
final class Acls {

    /** Everybody may do everything. */
    static final List<ACL> OPEN = List.of(new ACL(ZooDefs.Perms.ALL, new Id("world", "anyone")));

    /** Whoever has the credentials of the client that made a node may do everything with it, and nobody else anything. */
    static final List<ACL> CREATOR = List.of(new ACL(ZooDefs.Perms.ALL, new Id("auth", "")));

    private Acls() {}
}
