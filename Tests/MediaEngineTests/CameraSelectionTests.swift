import Testing

@testable import MediaEngine

@Suite struct CameraSelectionTests {
    @Test func withoutASwitchTheListIsAnOrderOfPreference() {
        var selection = CameraSelection(count: 3)
        #expect(selection.order == [0, 1, 2])
        let isBack = selection.opened(1)
        #expect(!isBack && selection.order == [0, 1, 2])
    }

    @Test func aSwitchGoesOnFromTheOneInUseAndComesBackToItLast() {
        var selection = CameraSelection(count: 4)
        _ = selection.opened(1)
        let isSwitch = selection.choose(nil)
        #expect(isSwitch && selection.order == [2, 3, 0, 1])
        let isBack = selection.opened(3)
        // The choice lasts.
        #expect(!isBack && selection.order == [3, 0, 1, 2])
        let isSecondSwitch = selection.choose(nil)
        #expect(isSecondSwitch && selection.order == [0, 1, 2, 3])
        let isSecondBack = selection.opened(3)
        #expect(isSecondBack && selection.order == [3, 0, 1, 2])
    }

    @Test func theOneInUseNeedsNoSwitch() {
        var selection = CameraSelection(count: 2)
        _ = selection.opened(0)
        let answers = [selection.choose(0), selection.choose(1)]
        #expect(answers == [false, true])
        var single = CameraSelection(count: 1)
        _ = single.opened(0)
        let answer = single.choose(nil)
        #expect(!answer)
    }

    @Test func beforeAnythingIsOpenASwitchChangesTheBeginning() {
        var selection = CameraSelection(count: 2)
        let isSwitch = selection.choose(nil)
        #expect(isSwitch && selection.order == [1, 0])
        let isBack = selection.opened(0)
        #expect(!isBack)
    }
}
