package io.holdfast.examples.demo;

/**
 * What an act plays with.
 *
 * @param stage where the workers run
 * @param shop the shop's database
 * @param store the lock store
 * @param size how large the demo is
 * @param screen where it is shown
 */
record Scene(Stage stage, ShopDatabase shop, DemoBackend.Store store, DemoSize size, Screen screen) {

    /** The lock that guards the stock. */
    static final String LOCK_NAME = "stock:" + ShopDatabase.ITEM;
}
