// Verify a webhook's signature: java Verify.java SIGNATURE KEY < body
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Verify {
    /** body is the bytes received: a byte[] parameter with @RequestBody in Spring. */
    static boolean verify(byte[] body, String signature, String key) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        String right = HexFormat.of().formatHex(mac.doFinal(body));
        return MessageDigest.isEqual(right.getBytes(StandardCharsets.UTF_8), signature.toLowerCase().getBytes(StandardCharsets.UTF_8));
    }

    public static void main(String[] args) throws Exception {
        System.out.println(verify(System.in.readAllBytes(), args[0], args[1]));
    }
}
