package io.holdfast.planted;

final class Misformatted {
  private Misformatted( ) { }
}
