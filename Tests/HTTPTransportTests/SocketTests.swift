import Testing

/// Tests with sockets and clocks run one after another: they measure time.
@Suite(.serialized) enum SocketTests {}
