import Testing

@Suite struct FolderTests {}
