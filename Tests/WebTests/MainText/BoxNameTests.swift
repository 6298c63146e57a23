import Testing

@testable import Web

@Suite struct BoxNameTests {
    private func name(_ text: String) -> BoxName {
        Array(text.utf8).withUnsafeBufferPointer { BoxName($0, 0..<$0.count) }
    }

    @Test(arguments: ["entry-content", "article__body", "storyText", "td-post-content", "postbody"])
    func `whose and which part make the text`(text: String) {
        #expect(name(text).contains(.body), "\(name(text))")
    }

    @Test func `a word alone is no text`() {
        #expect(!name("content").contains(.body) && name("content").contains(.content))
        // Two names, not one of two words.
        #expect(!name("post content").contains(.body))
    }

    @Test func `words end at signs, and before capitals`() {
        #expect(name("x comments-list").contains(.comments))
        #expect(name("ArticleRelatedBox").contains(.related))
        #expect(name("article__share").contains(.beside))
        #expect(name("POST-META").contains(.about))
        #expect(name("navigator scommentary unrelated").isEmpty == false)
        #expect(name("shared-content").isDisjoint(with: [.beside, .related]))
    }

    @Test func `longer words are known by their first six letters`() {
        #expect(name("relatedstorieslist").contains(.related))
        #expect(name("kommentarmodul").contains(.comments))
        #expect(name("commerce").isDisjoint(with: .comments))
    }

    @Test(arguments: ["has-sidebar", "no-comments", "category-advert", "with-related-news"])
    func `names that tell of something else say nothing`(text: String) {
        #expect(name(text).isEmpty)
    }

    @Test func `of a very long name the start is read`() {
        let long = String(repeating: "x ", count: 10_000)
        var tree = HTMLTree(Array("<p class='comments \(long)'>".utf8))
        #expect(BoxName(of: tree.first(.p, in: tree.root)!, tree).contains(.comments))
        tree = HTMLTree(Array("<p class='\(long) comments'>".utf8))
        #expect(BoxName(of: tree.first(.p, in: tree.root)!, tree).isEmpty)
    }
}
