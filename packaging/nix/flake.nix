# nix run "github:OWNER/NAME?dir=packaging/nix", with the owner and the name of the repository
{
  description = "Makruk (Thai chess) engine that plays by the count";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      root = ../..;
      workspace = (builtins.fromTOML (builtins.readFile (root + "/Cargo.toml"))).workspace.package;
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      package = pkgs: pkgs.rustPlatform.buildRustPackage {
        pname = "sakmak";
        version = workspace.version;
        src = root;
        cargoLock.lockFile = root + "/Cargo.lock";
        cargoBuildFlags = [ "--package" "sakmak-engine" "--package" "sakmak-tools" ];
        # For any x86-64; .cargo/config.toml asks for x86-64-v3.
        env = pkgs.lib.optionalAttrs pkgs.stdenv.hostPlatform.isx86_64 { RUSTFLAGS = "-C target-cpu=x86-64"; };
        # They take ten minutes, and are those of the gate.
        doCheck = false;
        meta = {
          description = "Makruk (Thai chess) engine that plays by the count";
          homepage = workspace.repository;
          license = with pkgs.lib.licenses; [ mit asl20 ];
          mainProgram = "sakmak";
        };
      };
    in {
      packages = nixpkgs.lib.genAttrs systems (system: { default = package nixpkgs.legacyPackages.${system}; });
    };
}
