class Sakmak < Formula
  desc "Makruk (Thai chess) engine that plays by the count"
  homepage "@repository@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@repository@/releases/download/v@version@/sakmak-@version@-aarch64-macos.tar.gz"
      sha256 "@archive-sha256 aarch64-macos.tar.gz@"
    end
    on_intel do
      url "@repository@/releases/download/v@version@/sakmak-@version@-x86_64-macos.tar.gz"
      sha256 "@archive-sha256 x86_64-macos.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "@repository@/releases/download/v@version@/sakmak-@version@-aarch64-linux.tar.gz"
      sha256 "@archive-sha256 aarch64-linux.tar.gz@"
    end
    on_intel do
      url "@repository@/releases/download/v@version@/sakmak-@version@-x86_64-linux.tar.gz"
      sha256 "@archive-sha256 x86_64-linux.tar.gz@"
    end
  end

  def install
    # The programs for x86-64-v3 need AVX2.
    folder = (Hardware::CPU.intel? && !Hardware::CPU.avx2?) ? "any-cpu" : "."
    # The archives for macOS hold the engine alone.
    bin.install Dir["#{folder}/sakmak", "#{folder}/sakmak-tools"]
    man1.install Dir["man/*.1"]
    bash_completion.install Dir["completions/*.bash"]
    zsh_completion.install Dir["completions/_*"]
    fish_completion.install Dir["completions/*.fish"]
  end

  test do
    assert_match "Nodes searched: 6223994", shell_output("#{bin}/sakmak perft 5")
  end
end
