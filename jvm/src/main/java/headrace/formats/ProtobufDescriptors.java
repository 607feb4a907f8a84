package headrace.formats;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The message that a table's records are, from a class on the class path or from a set of descriptors. */
final class ProtobufDescriptors {
  private ProtobufDescriptors() {}

  static Descriptor of(FormatSpec format) {
    String name = format.text("message-class-name");
    String set = format.text("descriptors");
    return set == null ? ofClass(name) : ofSet(name, Base64.getDecoder().decode(set));
  }

  private static Descriptor ofClass(String name) {
    try {
      return (Descriptor) loaded(name).getMethod("getDescriptor").invoke(null);
    } catch (ClassNotFoundException missing) {
      throw unusable(name, "no such class on the class path");
    } catch (ReflectiveOperationException | ClassCastException other) {
      throw unusable(name, "a class that is no protobuf message");
    }
  }

  /** Classes of `spark.jars` are known to the loader of the thread alone. */
  private static Class<?> loaded(String name) throws ClassNotFoundException {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return Class.forName(name, true, loader == null ? ProtobufDescriptors.class.getClassLoader() : loader);
  }

  private static Descriptor ofSet(String name, byte[] bytes) {
    Map<String, FileDescriptor> files = new HashMap<>();
    try {
      // A set names every file after those that it imports.
      for (FileDescriptorProto file : FileDescriptorSet.parseFrom(bytes).getFileList()) {
        FileDescriptor[] imports =
            file.getDependencyList().stream().map(files::get).filter(f -> f != null).toArray(FileDescriptor[]::new);
        files.put(file.getName(), FileDescriptor.buildFrom(file, imports, true));
      }
    } catch (InvalidProtocolBufferException | DescriptorValidationException malformed) {
      throw unusable(name, "the file is no set of descriptors: " + malformed.getMessage());
    }
    return files.values().stream()
        .map(file -> found(file.getMessageTypes(), name))
        .filter(message -> message != null)
        .findFirst()
        .orElseThrow(() -> unusable(name, "no such message in the file of descriptors"));
  }

  private static Descriptor found(List<Descriptor> messages, String name) {
    for (Descriptor message : messages) {
      boolean isIt = message.getFullName().equals(name) || javaName(message).equals(name);
      Descriptor found = isIt ? message : found(message.getNestedTypes(), name);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** The name of the class that would be generated for it. */
  private static String javaName(Descriptor message) {
    if (message.getContainingType() != null) {
      return javaName(message.getContainingType()) + "$" + message.getName();
    }
    FileDescriptor file = message.getFile();
    var options = file.getOptions();
    String inPackage = options.hasJavaPackage() ? options.getJavaPackage() : file.getPackage();
    String prefix = inPackage.isEmpty() ? "" : inPackage + ".";
    return options.getJavaMultipleFiles()
        ? prefix + message.getName()
        : prefix + outerName(file) + "$" + message.getName();
  }

  private static String outerName(FileDescriptor file) {
    if (file.getOptions().hasJavaOuterClassname()) {
      return file.getOptions().getJavaOuterClassname();
    }
    String base = file.getName().substring(file.getName().lastIndexOf('/') + 1).replaceFirst("\\.proto$", "");
    StringBuilder name = new StringBuilder();
    for (String word : base.split("[^A-Za-z0-9]+")) {
      name.append(word.substring(0, 1).toUpperCase()).append(word.substring(1));
    }
    boolean taken = file.getMessageTypes().stream().anyMatch(message -> message.getName().contentEquals(name));
    return taken ? name + "OuterClass" : name.toString();
  }

  /** In a fixed form, which the driver reads back. */
  static IllegalArgumentException unusable(String name, String reason) {
    return new IllegalArgumentException("UNUSABLE_MESSAGE " + name + ": " + reason);
  }
}
