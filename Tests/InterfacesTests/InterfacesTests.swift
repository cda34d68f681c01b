// InterfacesTests
