package io.holdfast.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * A certificate for one name, made by the JDK's keytool: as the PEM files that Redis reads, and as the trust store of its
 * clients.
 *
 * @param certificate the PEM file of the certificate
 * @param key the PEM file of the private key
 * @param store a PKCS12 file with both
 */
public record SelfSignedCertificate(Path certificate, Path key, Path store) {

    /** The password of the store. */
    public static final String PASSWORD = "changeit";

    /**
     * Makes a certificate.
     *
     * @param directory where its files are made
     * @param alternativeName what it is for, as keytool says it, such as {@code ip:127.0.0.1}
     * @return the certificate
     * @throws IOException if keytool fails or a file cannot be written
     * @throws InterruptedException if the thread was interrupted while keytool ran
     * @throws GeneralSecurityException if what keytool made cannot be read
     */
    public static SelfSignedCertificate create(Path directory, String alternativeName)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path store = directory.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "redis",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=redis",
                        "-ext",
                        "SAN=" + alternativeName,
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.log").toFile())
                .start();
        if (!keytool.waitFor(1, TimeUnit.MINUTES) || keytool.exitValue() != 0) {
            keytool.destroyForcibly();
            throw new IOException(Files.readString(directory.resolve("keytool.log")));
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return new SelfSignedCertificate(
                pem(
                        directory.resolve("cert.pem"),
                        "CERTIFICATE",
                        keys.getCertificate("redis").getEncoded()),
                pem(
                        directory.resolve("key.pem"),
                        "PRIVATE KEY",
                        keys.getKey("redis", PASSWORD.toCharArray()).getEncoded()),
                store);
    }

    private static Path pem(Path file, String kind, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(
                file,
                "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n",
                StandardCharsets.US_ASCII);
    }
}
