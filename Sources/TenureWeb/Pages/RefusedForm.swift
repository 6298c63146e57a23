import HTTPTypes

/// What was filled in can't be done: it is told beside the form, which keeps what was filled in.
package struct RefusedForm: Error {
    let page: any Page
    let why: String
    /// 400 for what can't be, 409 for what can't be now.
    let status: HTTPResponse.Status

    init(_ page: any Page, _ why: String, _ status: HTTPResponse.Status = .badRequest) {
        (self.page, self.why, self.status) = (page, why, status)
    }

    /// What can't be.
    package init(_ page: any Page, _ why: String) { self.init(page, why, .badRequest) }
}
