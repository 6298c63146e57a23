/// How a target was when somebody last looked.
public enum TargetState: String, Sendable, Codable, CaseIterable {
    case unchecked, ok
    /// It answers with another URL.
    case redirected
    /// It has done so for good, twice.
    case moved
    /// It failed, and nobody has confirmed it yet.
    case suspect
    case broken
    /// It won't talk to us; it may well be there for others.
    case blocked
    /// It is there, and lacks an anchor that something refers to.
    case missingFragment = "missing fragment"
    /// Nobody asked: robots.txt, no contact, a scheme that isn't fetched.
    case skipped
}
