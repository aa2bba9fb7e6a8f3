import Glibc
import MediaTypes
import Testing

@testable import Realtime

@Suite struct PictureMailboxTests {
    @Test func theLatestPictureWinsAndIsTakenOnce() {
        let mailbox = PictureMailbox(size: PictureSize(width: 16, height: 16))
        #expect(mailbox.takeLatest() == nil)
        for number in 1...3 {
            mailbox.back.number = Int64(number)
            mailbox.publish()
        }
        #expect(mailbox.takeLatest()?.number == 3)
        #expect(mailbox.takeLatest() == nil)
        #expect(mailbox.overwrittenCount == 2)
    }

    @Test func theBackPictureIsNeverTheTakenOne() {
        let mailbox = PictureMailbox(size: PictureSize(width: 16, height: 16))
        var taken: Picture?
        for round in 0..<100 {
            #expect(mailbox.back !== taken)
            mailbox.publish()
            #expect(mailbox.back !== taken)
            if round % 3 == 0, let picture = mailbox.takeLatest() { taken = picture }
        }
    }

    @Test func publishingSignals() throws {
        let signal = try EventSignal()
        let mailbox = PictureMailbox(size: PictureSize(width: 16, height: 16), readySignal: signal)
        #expect(!signal.wait(timeoutMilliseconds: 0))
        mailbox.publish()
        #expect(signal.wait(timeoutMilliseconds: 0))
    }

    @Test(.timeLimit(.minutes(5))) func twoThreadsNeverSeeATornPicture() throws {
        let mailbox = PictureMailbox(size: PictureSize(width: 32, height: 32))
        let last = 20_000
        let producer = try RealtimeThread(name: "test-producer") { _ in
            for number in 1...last {
                let picture = mailbox.back
                picture.number = Int64(number)
                picture.luma.update(repeating: UInt8(number & 255), count: 32 * 32)
                mailbox.publish()
            }
        }
        var newest: Int64 = 0
        var isRight = true
        while newest < last {
            guard let picture = mailbox.takeLatest() else {
                sched_yield()
                continue
            }
            isRight = isRight && picture.number > newest
            newest = picture.number
            for index in 0..<(32 * 32) where picture.luma[index] != UInt8(newest & 255) { isRight = false }
        }
        producer.stopAndJoin()
        #expect(isRight)
    }
}
