import TenureLibcurl

/// The settings of a message's connection, all in one place.
extension EasyHandle {
    func configure(_ plan: MailPlan) {
        let (mail, target) = (plan.mail, plan.route.target)
        forbidInitiative("smtp,smtps")
        trust(plan.configuration)
        pass(plan.route)
        set(CURLOPT_URL, target.url)
        set(CURLOPT_RESOLVE, Self.pins(plan.route.firstStop.target, plan.route.firstStop.addresses))
        switch plan.encryption {
        case .fromTheStart, .none: set(CURLOPT_USE_SSL, Int(CURLUSESSL_NONE.rawValue))
        case .required: set(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue))
        }
        set(CURLOPT_MAIL_FROM, mail.sender)
        set(CURLOPT_MAIL_RCPT, [mail.recipient])
        set(CURLOPT_UPLOAD, true)
        set(CURLOPT_INFILESIZE, mail.message.count)
        set(CURLOPT_USERNAME, mail.login?.user)
        set(CURLOPT_PASSWORD, mail.login?.password)
        set(CURLOPT_FORBID_REUSE, true)
        let milliseconds = { (limit: Duration) in Int(min(max(1, limit / .milliseconds(1)), 1e9)) }
        set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(mail.limits.connect))
        set(CURLOPT_TIMEOUT_MS, milliseconds(mail.limits.total))
        // Each reply may take what is left of the whole.
        set(CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, milliseconds(mail.limits.total) / 1000))
    }
}
