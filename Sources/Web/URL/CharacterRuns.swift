// Generated from DerivedBidiClass and DerivedJoiningType of the Unicode Character Database.

/// A property of characters as runs: a letter for the value and, in hex, the first character that
/// has it. Characters that no domain name may contain count as their neighbours.
struct CharacterRuns: Sendable {
    private let starts: [UInt32]
    private let values: [UInt8]

    private init(_ table: StaticString) {
        var starts: [UInt32] = []
        var values: [UInt8] = []
        for run in table.description.split(separator: " ") {
            starts.append(UInt32(run.dropFirst(), radix: 16) ?? 0)
            values.append(run.utf8.first ?? 0)
        }
        self.starts = starts
        self.values = values
    }

    /// The letter of the run that `scalar` stands in, by halving.
    subscript(scalar: Unicode.Scalar) -> UInt8 {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= scalar.value { low = middle } else { high = middle }
        }
        return values[low]
    }

    /// Bidi class: `L`, `E` for EN, `A` for AN, `R` for R and AL, `X` for what no label may
    /// contain, `O` for the others. Non-spacing marks are not in it.
    static let bidiClass = CharacterRuns(
        """
        O0 X9 OE X1C O21 E30 O3A L41 O5B L61 O7B LDF OF7 LF8 O2B9 L2BB O2C2 L2D0 O2D2 L2EE O2EF \
        L371 O375 L377 O3F6 L3F8 O58A R5BE O606 R608 O609 R60B O60C R60D O60E R61B A660 O66A \
        A66B R66D O6DE R6E5 O6E9 R6EE E6F0 R6FA O7F6 R7FA L903 O9F2 L9F4 O9FB L9FC OAF1 LAF9 \
        OBF3 LC01 OC78 LC7F OE3F LE40 OF3A LF3E O1390 L13A0 O1400 L1401 O169B L16A0 O17DB L17DC \
        O17F0 L1810 O1940 L1946 O19DE L1A00 O200C L214E O218A L2336 O237B L2395 O2396 L26AC \
        O26AD L2800 O2900 L2C30 O2CE5 L2CEC O2CF9 L2D00 O2E00 L3005 O3008 L3021 O3030 L3031 \
        O3037 L303B O303D L3041 O30A0 L30A1 O30FB L30FC O31C0 L31F0 O4DC0 L4E00 OA490 LA4D0 \
        OA60D LA610 OA673 LA681 OA700 LA723 OA788 LA789 OA828 LA830 OA838 LA840 OA874 LA880 \
        OAB6A LABC0 RFBB2 OFBC3 RFE73 L10000 O10101 L10102 O10140 L1018D O10190 L101D0 E102E1 \
        L10300 R10800 O1091F R10920 O10B39 R10B40 A10D30 R10D4A O10D6E R10D6F A10E60 R10E80 \
        O10ED0 R10ED9 L11000 O11052 L11066 O11660 L11680 O11FD5 L11FFF O16FE2 L16FE3 O1CC00 \
        L1CF50 O1D1E9 L1D1EB O1D200 L1D250 O1D300 L1D360 O1DB00 L1DF00 O1E2FF L1E4D0 R1E800 \
        O1EEF0 L1F150 O1F16D L1F170 O1F1AD L1F1AE O1F260 L1F7DA O1F7DB L20000
        """)

    /// Joining type: `D`, `R`, `L`, and `U` for U and C. Transparent characters are not in it.
    static let joiningType = CharacterRuns(
        """
        U0 D620 U621 R622 D626 R627 D628 R629 D62A R62F D633 U640 D641 R648 D649 U660 D66E R671 \
        U674 D679 R688 D69A R6C0 D6C1 R6C3 D6CC R6CD D6CE R6CF D6D0 R6D2 U6D4 R6D5 U6DE R6EE \
        U6F0 D6FA U6FD D6FF U700 R710 D712 R715 D71A R71E D71F R728 D729 R72A D72B R72C D72D \
        R72F D74E R759 D75C R76B D76D R771 D772 R773 D775 R778 D77A U780 D7CA U7F4 R840 D841 \
        R846 D848 R849 D84A R854 D855 R856 U85E D860 U861 D862 U866 R867 D868 R869 U883 D886 \
        U887 D889 R88E D88F R8AA U8AD R8AE D8AF R8B1 D8B3 R8B9 D8BA U8C9 D1807 U1808 D1820 U1880 \
        D1887 U18B0 DA840 LA872 UA873 D10AC0 R10AC5 U10AC6 R10AC7 U10AC8 R10AC9 U10ACB L10ACD \
        R10ACE D10AD3 L10AD7 D10AD8 R10ADD D10ADE R10AE1 U10AE2 R10AE4 D10AEB R10AEF U10AF0 \
        D10B80 R10B81 D10B82 R10B83 D10B86 R10B89 D10B8A R10B8C D10B8D R10B8E D10B90 R10B91 \
        U10B99 R10BA9 D10BAD U10BAF L10D00 D10D01 R10D22 D10D23 U10D30 R10EC2 D10EC3 U10EC5 \
        D10EC6 U10EC9 L10ED9 U10F00 D10F30 R10F33 D10F34 U10F45 D10F51 R10F54 U10F55 D10F70 \
        R10F74 D10F76 U10F86 D10FB0 U10FB1 D10FB2 R10FB4 U10FB7 D10FB8 R10FB9 D10FBB R10FBD \
        D10FBE U10FC0 D10FC1 R10FC2 D10FC4 U10FC5 R10FC9 D10FCA L10FCB U10FE0 D1E922 U1E94B
        """)
}
