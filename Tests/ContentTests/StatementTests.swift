import Tenure
import Testing

@testable import Content

@Suite struct StatementTests {
    static let all: [any PostgresStatement.Type] = [
        StoreTargets.self, MakeItems.self, LockItems.self,
        ReadLockedItems.self, PlanByKeys.self, ReadFields.self, StoreAnchors.self,
        WriteFields.self, ForgetFields.self, AddVersions.self, KeepBodies.self, KeepCandidates.self,
        DropCandidates.self, RefuseCandidate.self, NoteItems.self,
        ConfirmDocuments.self, StoreDocuments.self,
        AddFetches.self,
        ListItems.self, FindItems.self, ReadWordsIndex.self, ReadVersions.self,
        ListVersions.self, ListFetches.self, ReadClock.self, NoteVersion.self,
        DropOldFetches.self, NoteChanges.self, ListChanges.self, ForgetChanges.self,
        FindNextChange.self,
        DeleteEdges.self, StoreEdges.self, AddVisits.self, RecordVisits.self, ReadTargets.self,
        ReadStandstill.self, FindOwnHosts.self, ReadTrail.self, KeepTrail.self, DropTrail.self,
        UpdateTargets.self,
        NoteFailure.self, CountFailures.self, ReadItems.self,
        ListUnvisited.self, ReadHosts.self, StoreRobots.self, HoldHost.self, ReadCheck.self,
        StartCheck.self, FinishCheck.self, CancelCheck.self, CountVisits.self, FindBroken.self,
        FindMissingFragments.self, FindUnusable.self, DescribeItem.self, ReadDownload.self,
        StartDownload.self, EndDownload.self, AppendChunk.self, ReadFile.self,
        CloseDownload.self, KeepLargeBody.self, StoreFile.self, ConfirmFile.self, SpareBody.self,
        DropUnusedBodies.self, DropUnusedDownloads.self, FindFile.self,
        ReadBody.self, FindLargeBody.self, ReadChunk.self, HoldTargets.self,
        SpreadCheck.self, CountPages.self, SkipPages.self,
        FindCanonicalLoops.self, FindDependents.self, PlanDependents.self, ListBrokenTargets.self,
        ListMissingFragments.self, ListCanonicalLoops.self, ListItemURLs.self, WaitBriefly.self,
        LockItemsToDelete.self, LockTargetsToDelete.self, NoteDeletions.self, DeleteKept.self,
        DeleteFiles.self, DeleteItems.self, DeleteTargets.self, ForgetRedirects.self,
        ListUncheckedTargets.self, ListDroppedEdges.self, ForgetDropped.self,
        ListNeededTargets.self, AddIgnoreRule.self, ListIgnoreRules.self, RemoveIgnoreRule.self,
        KeepFindings.self, ListFindings.self,
        ListMissingIn.self, RememberFoundIn.self, ForgetDocuments.self, DescribeStart.self,
        AddPlaces.self, ListPlaces.self, SettlePlaces.self, MovePlaces.self,
        FindMissingPlaces.self, RememberPlaces.self, FindMoved.self, FindInsecure.self,
        FindAlike.self, FindWrongMail.self, ListMailLinks.self, NoteMail.self,
        RememberMissing.self, RememberFound.self, NoteLostAnchors.self, ListKnownPages.self,
        DescribeTarget.self, ListTargetEvents.self, AddFound.self, ListRefetchedSites.self,
        ReadRefetchedSite.self, NoteRefetch.self, NoteDiscovery.self, EnrolItems.self,
        ListDue.self, NoteEnqueued.self, CountEnqueued.self, SetItemAside.self,
        ReadSitemap.self, KeepSitemap.self, CountFound.self, ListFeeds.self, ReadRefetch.self,
        PlanEnrolment.self, NoteSitePause.self, ReopenSites.self, ForgetSitemaps.self,
        ForgetOld.self, ForgetVersions.self, ForgetBodies.self, NoteSizes.self, ListSizes.self,
        ReadNoted.self, ReadSweepHour.self,
    ]

    @Test func `every statement fits the migrated schema`() async throws {
        let fixture = try await ContentFixture("statements")
        for statement in Self.all {
            try await fixture.pool.simple("PREPARE s AS \(statement.sql); DEALLOCATE s")
        }
    }
}
