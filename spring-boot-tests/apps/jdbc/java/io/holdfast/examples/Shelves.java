package io.holdfast.examples;

import io.holdfast.lock.NamedToken;
import io.holdfast.lock.jdbc.jpa.EntityGuard;
import jakarta.persistence.EntityManager;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Changes shelves in transactions, with the token of a lock that the caller holds. */
@Service
public class Shelves {

    private final EntityManager manager;
    private final EntityGuard guard;

    Shelves(EntityManager manager, EntityGuard guard) {
        this.manager = manager;
        this.guard = guard;
    }

    /**
     * Puts up a shelf.
     *
     * @param id its number
     * @param units how many there are for sale
     * @param token the token of its lock
     */
    @Transactional
    public void add(long id, int units, NamedToken token) {
        guard.bind(manager, token);
        manager.persist(new Shelf(id, units));
    }

    // tag::first[]
    @Transactional
    public int sellOne(long id, NamedToken token) {
        guard.bind(manager, token); // inside the transaction
        Shelf shelf = guard.enter(manager, manager.find(Shelf.class, id));
        return shelf.sellOne();
    }
    // end::first[]

    /**
     * Sells a unit without entering the shelf first: the commit compares the token.
     *
     * @param id the shelf's number
     * @param token the token of its lock
     */
    @Transactional
    public void sellOneUnseen(long id, NamedToken token) {
        guard.bind(manager, token);
        manager.find(Shelf.class, id).sellOne();
    }
}
