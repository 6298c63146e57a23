/// Which role may run which statement of the product: the one table of it.
/// A row is a statement's name and a letter for each role that may run it, in this order: producer,
/// worker, coordinator, reader, operator; `-` for one that may not, and `-----` where only the
/// schemas' owner may. What a role can do follows from rights on tables, so a role may be able to
/// run what its part never asks for: such a letter is no mistake, but look at it twice.
/// Not in the table: statements of the benchmark and of the test kit, which run in databases of
/// their own.
enum StatementRoles {
    static let table = """
        # Content
        AddFetches             -w---
        AddFound               -w---
        AddIgnoreRule          ----o
        AddPlaces              -w---
        AddVersions            -w--o
        AddVisits              -w---
        AppendChunk            -w---
        CancelCheck            ----o
        CloseDownload          -w---
        ConfirmFile            -w---
        ConfirmDocuments       -w---
        CountFailures          -w-ro
        CountPages             -w-ro
        CountVisits            -w-ro
        DeleteEdges            -w--o
        DeleteFiles            ----o
        DeleteItems            ----o
        DeleteKept             ----o
        DeleteTargets          ----o
        DescribeItem           -w-ro
        DescribeStart          -w-ro
        DescribeTarget         -w-ro
        DisownHost             ----o
        DropCandidates         -w--o
        DropOldFetches         -w--o
        DropTrail              -w---
        DropUnusedBodies       -w---
        DropUnusedDownloads    -w---
        EndDownload            -w--o
        FindAlike              -w-ro
        FindBroken             -w-ro
        FindCanonicalLoops     -w-ro
        FindDependents         -w-ro
        FindFile               -w-ro
        FindInsecure           -w-ro
        FindItems              -w-ro
        FindLargeBody          -w-ro
        FindMissingFragments   -w-ro
        FindMissingPlaces      -w-ro
        FindMoved              -w-ro
        FindNextChange         -w-ro
        FindOwnHosts           pw-ro
        FindUnusable           -w-ro
        FindWrongMail          -w-ro
        FinishCheck            -w--o
        ForgetChanges          -w---
        ForgetDocuments        -w---
        ForgetDropped          -w--o
        ForgetFields           ----o
        ForgetOld              -w---
        ForgetVersions         -w---
        ForgetBodies           -w---
        NoteSizes              -w---
        ListSizes              ---ro
        ReadNoted              ---ro
        ReadSweepHour          -w-ro
        HoldHost               -w---
        HoldPause              -w--o
        ForgetRedirects        -w--o
        HoldTargets            -w--o
        KeepBodies             -w---
        KeepCandidates         -w---
        KeepFindings           -w---
        NoteMail          -w---
        KeepLargeBody          -w---
        KeepTrail              -w---
        ListBrokenTargets      ---ro
        ListCanonicalLoops     -w-ro
        ListChanges            -w-ro
        ListDroppedEdges       -w--o
        ListFetches            -w-ro
        ListFindings           -w-ro
        ListIgnoreRules        -w-ro
        ListItemURLs           -w-ro
        ListItems              -w-ro
        ListKnownPages         -w-ro
        ListMailLinks          -w-ro
        ListMissingFragments   -w-ro
        ListMissingIn          -w-ro
        ListNeededTargets      -w-ro
        ListOwnHosts           -w-ro
        ListPlaces             -w-ro
        ListTargetEvents       ---ro
        ListUncheckedTargets   -w-ro
        ListUnvisited          -w-ro
        ListVersions           -w-ro
        LockItems              -w--o
        ReadLockedItems        -w-ro
        LockItemsToDelete      -w--o
        LockTargetsToDelete    -w--o
        MakeItems              -w---
        MovePlaces             -w---
        NoteChanges            -w---
        NoteDeletions          ----o
        NoteFailure            -w---
        NoteItems              -w---
        NoteLostAnchors        -w---
        NoteVersion            -w--o
        OwnHost                ----o
        PlanDependents         pwcro
        PlanEnrolment          pwcro
        PlanQuickly            pwcro
        PlanByKeys             pwcro
        ReadBody               -w-ro
        ReadChunk              -w-ro
        ReadClock              pwcro
        ReadDownload           -w--o
        ReadFields             -w-ro
        ReadFile               -w-ro
        ReadHosts              -w-ro
        ReadItems              -w-ro
        ReadCheck              -w-ro
        ReadCheckState         -w-ro
        ReadStandstill         -w-ro
        ReadTrail              -w---
        ReadVersions           -w-ro
        ReadTargets            -w--o
        ReadWordsIndex         pwcro
        RecordVisits           -w---
        RefuseCandidate        -w--o
        ReleaseHost            -w--o
        RememberFound          -w---
        RememberFoundIn        -w---
        RememberMissing        -w---
        RememberPlaces         -w---
        RemoveIgnoreRule       ----o
        SettlePlaces           -w---
        SkipPages              -w---
        SpareBody              -w---
        StartCheck             pw--o
        SpreadCheck            -w---
        StartDownload          -w---
        StoreDocuments         -w---
        StoreEdges             -w---
        StoreAnchors           -w---
        StoreFile              -w---
        StoreRobots            -w---
        StoreTargets           -w--o
        UpdateTargets          -w---
        WaitBriefly            pwcro
        WriteFields            -w--o
        AddChannel             ----o
        AddDeliveries          -w--o
        AddKnownBroken         -w---
        AddNotice              -w--o
        AddSite                ----o
        ChangeSite             ----o
        CountEnqueued          -w-ro
        CountFound             -w-ro
        EnrolItems             -w---
        CountKnownBroken       -w-ro
        ForgetBroken           -w--o
        ForgetSitemaps         ----o
        ForgetDeliveries       ----o
        HoldChannels           -w--o
        KeepSitemap            -w---
        LeaveChannel           ----o
        ListChangedPages       -w-ro
        ListChannels           -w-ro
        ListDue                -w-ro
        ListFeeds              -w-ro
        ListRefetchedSites     -w-ro
        ListSiteItems          -w-ro
        ListSites              -w-ro
        ListUnsent             -w-ro
        LockSite               -w--o
        NoteDiscovery          -w---
        NoteEnqueued           -w---
        NoteKnown              -w---
        NoteRefetch            -w---
        NoteSent               -w---
        NoteSite               -w--o
        NoteSiteBegun          -w--o
        NoteSitePause          ----o
        NoteSkip               -w---
        NoteUnsent             -w---
        PauseChannel           -w--o
        ReadDelivery           -w-ro
        ReadDeliveryState      -w-ro
        ReadRefetch            -w-ro
        ReadRefetchedSite      -w-ro
        ReadSite               -w-ro
        ReadSitemap            -w-ro
        ReopenSites            -w--o
        SetItemAside           -w---
        RemoveChannel          ----o
        RemoveSite             ----o
        ResumeChannel          -w--o
        TakeMended             -w--o
        # Tenure
        Beat                   -wc--
        CancelJob              -w--o
        CloseSession           -wc--
        CountHeld              -wcro
        CountSealed            ---ro
        CountJobs              ---ro
        CountQueue             -wcro
        CountRunning           -wcro
        DeclareDead            -wc--
        EditJob                ----o
        EnqueueJobs            pwc-o
        ExpireJobs             -wc--
        FindEnqueued           pwc-o
        FindJobs               pwc-o
        FollowClock            -wc--
        ForgetJobs             ----o
        HoldLane               -w--o
        InsertJob              pwc-o
        InsertJobs             pwc-o
        LimitQueue             ----o
        ListActions            ---ro
        ListAttemptErrors      ---ro
        ListBatchEdges         ---ro
        ListBatchJobs          -w-ro
        ListBatches            ---ro
        ListForgetful          pwc-o
        ListJobs               ---ro
        ListKeyJobs            ---ro
        ListKinds              --cro
        ListLaneQueues         -wcro
        ListLanes              -wcro
        ListLiveKinds          -wcro
        ListLog                ---ro
        ListOldestDue          -wcro
        ListOpenSnapshots      pwcro
        ListPausedKinds        -wcro
        ListPredecessors       ---ro
        ListQueueKinds         -wcro
        ListQueues             -wcro
        ListSessionRuns        -wcro
        ListSessions           --cro
        ListShutLanes          -wcro
        ListSignals            ---ro
        ListSteps              ---ro
        ListTroubledQueues     -wcro
        ListUnfinishedJobs     -wcro
        ListUnread             -wcro
        ListWaiters            ---ro
        ListWaits              --cro
        MakePartitions         -wc--
        MarkBatchCancelled     ----o
        NameJobs               -wcro
        NoteAction             ----o
        NoteBegun              -w---
        Notify                 pwcro
        OpenSession            -wc--
        OperateJob             ----o
        OperateJobs            ----o
        PauseKind              ----o
        PauseQueue             ----o
        RateQueue              ----o
        SetAgeing              ----o
        ReadActivity           pwcro
        ReadBatchProgress      pw-ro
        ReadBatchResults       -w-ro
        ReadCapacities         pw--o
        ReadEnd                p--ro
        ReadHealth             pwcro
        ReadJob                ---ro
        ReadOrigins            -w-ro
        ReadOverdue            --cro
        ReadUnsettled          ---ro
        ReadProgress           -wcro
        ReadStatistics         ---ro
        ReadSubject            -wcro
        ReadTables             pwcro
        ReadUnusable           ---ro
        ReclaimRuns            -wc--
        ReleaseLane            ----o
        RepeatJobs             ----o
        ResumeKind             ----o
        ResumeQueue            ----o
        RetireBatch            -w--o
        RetryJob               ----o
        SampleStatistics       ---ro
        SendSignal             pw--o
        SendSignalToKey        pw--o
        SetCapacity            ----o
        SetLane                ----o
        SetLetter              ----o
        SettleBatches          pwc-o
        SlowLane               -w---
        StartBatch             pwc-o
        StopSession            ----o
        Supersede              pwc-o
        SweepBatches           -w---
        # TenureCLI
        ClaimTrial             -w---
        EnqueueTrial           pw--o
        OpenTrial              -wc--
        EndOpenSessions        -----
        ListMissingRights      pwcro
        ListRoles              pwcro
        NotifyDoctor           pwcro
        RaiseNumbers           -----
        ReadNumbers            -----
        # TenureCoordinator
        AgeLanes               --c--
        AgeQueues              --c--
        AskMayOperate          pwcro
        DropActions            --c--
        DropBatches            --c--
        DropGivenIDs           --c--
        DropIdleLanes          --c--
        DropIdleSubjects       --c--
        DropKeptKeys           --c--
        DropPartitions         --c--
        DropProgress           --c--
        DropSteps              --c--
        DropTags               --c--
        FireSchedules          --c--
        ForgetSessions         --c--
        IndexKeys              --c--
        Lead                   --c--
        ListSchedules          --cro
        NextTicks              ---ro
        PauseSchedule          ----o
        PutOwnedSchedule       --c-o
        PutSchedule            --c-o
        RecallLanes            --c--
        RemoveSchedule         ----o
        RemoveUndeclared       --c--
        ResumeSchedule         ----o
        TriggerSchedule        ----o
        TripBreakers           --c--
        # TenurePostgres
        ConfirmCommits         pwcro
        EndProcess             pwcro
        NotifyProbe            pwcro
        PinIsolation           pwcro
        PostgresPing           pwcro
        RaiseDurability        pwcro
        ReadCommitStatus       pwcro
        ReadIncarnation        pwcro
        ReadProcess            pwcro
        ReadTransactionID      pwcro
        # TenureWeb
        AskOwnRights           pwcro
        # TenureWorker
        ClaimFew               -w---
        ClaimJobs              -w---
        ClaimQueues            -w---
        CompleteRuns           -w---
        EndRuns                -w---
        FindRun                -w-ro
        FinishChunk            -w---
        FinishRun              -w---
        HoldRun                -w---
        KeepStep               -w---
        NextDue                -w---
        OpenChunk              -w---
        ReadEnds               -w---
        ReadStep               -w---
        ReadSteps              -w---
        ReadVerdicts           -w---
        ReleaseHeld            -w---
        SeeWait                -w---
        SettleEnds             -w---
        SweepClaims            -w---
        SweepWaiting           -w---
        TakeSignal             -w---
        TakeWait               -w---
        """

    /// What is called by its name alone: by programs in other languages, and by the migrator.
    static let others: [(name: String, roles: String, sql: String)] = [
        ("tenure.forget_job", "----o", "SELECT tenure.forget_job(gen_random_uuid())"),
        ("tenure.enqueue", "pw--o", "SELECT * FROM tenure.enqueue('k')"),
        ("tenure.enqueue_jobs", "pwc-o", "SELECT * FROM tenure.enqueue_jobs('[]')"),
        ("tenure.signal", "pw--o", "SELECT tenure.signal(gen_random_uuid(), 's')"),
        ("tenure.signal_key", "pw--o", "SELECT tenure.signal_key('k', 'a', 's')"),
        ("Migrator.status", "pwcro", "SELECT name, checksum FROM tenure.migration"),
        ("Migrator.status of content", "pwcro", "SELECT name FROM content.migration"),
        ("Migrator.status of functions", "pwcro", "SELECT newest FROM tenure.function_set"),
        ("the same of content", "pwcro", "SELECT newest FROM content.function_set"),
    ]

    /// By name.
    static var rows: [String: String] {
        get throws {
            var rows: [String: String] = [:]
            for line in table.split(separator: "\n") where !line.hasPrefix("#") {
                let words = line.split(separator: " ").map(String.init)
                guard words.count == 2, isRoles(words[1]), rows[words[0]] == nil else {
                    throw BadRow(line: String(line))
                }
                rows[words[0]] = words[1]
            }
            return rows
        }
    }

    static let letters = Array("pwcro")

    private static func isRoles(_ text: String) -> Bool {
        text.count == letters.count && zip(text, letters).allSatisfy { $0 == $1 || $0 == "-" }
    }
}

/// A row that is no name and five letters, or a second one of a name.
struct BadRow: Error { let line: String }
