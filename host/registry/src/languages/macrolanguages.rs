//! Which languages a macrolanguage of ISO 639-3 includes.
//!
//! Source: the code table "ISO 639-3 Macrolanguage Mappings" of SIL International, the registration authority
//! (<https://iso639-3.sil.org>), active mappings of 2025. `isolang` has the languages, but not which belongs to which.

/// The members of the macrolanguage `code`; none if it is no macrolanguage.
pub fn members(code: &str) -> impl Iterator<Item = &'static str> {
    let found = ALL.binary_search_by_key(&code, |(whole, _)| *whole).ok();
    found.and_then(|index| ALL.get(index)).into_iter().flat_map(|(_, members)| members.split(' '))
}

/// Macrolanguages and their members, which a space separates; sorted.
pub const ALL: &[(&str, &str)] = &[
    ("aka", "fat twi"),
    (
        "ara",
        "aao abh abv acm acq acw acx acy adf aeb aec afb apc apd arb arq ars ary arz auz avl ayh ayl ayn \
         ayp pga shu ssh",
    ),
    ("aym", "ayc ayr"),
    ("aze", "azb azj"),
    ("bal", "bcc bgn bgp"),
    ("bik", "bcl bln bto cts fbl lbl rbl ubl"),
    ("bnc", "ebk lbk obk rbk vbk"),
    ("bua", "bxm bxr bxu"),
    ("chm", "mhr mrj"),
    ("cre", "crj crk crl crm csw cwd"),
    ("del", "umu unm"),
    ("den", "scs xsl"),
    ("din", "dib dik dip diw dks"),
    ("doi", "dgo xnr"),
    ("est", "ekk vro"),
    ("fas", "pes prs"),
    ("ful", "ffm fub fuc fue fuf fuh fui fuq fuv"),
    ("gba", "bdt gbp gbq gmm gso gya"),
    ("gon", "esg gno wsg"),
    ("grb", "gbo gec grj grv gry"),
    ("grn", "gnw gug gui gun nhd"),
    ("hai", "hax hdn"),
    ("hbs", "bos cnr hrv srp"),
    (
        "hmn",
        "cqd hea hma hmc hmd hme hmg hmh hmi hmj hml hmm hmp hmq hms hmw hmy hmz hnj hrm huj mmr muq mww \
         sfm",
    ),
    ("iku", "ike ikt"),
    ("ipk", "esi esk"),
    ("jrb", "aju jye yhd yud"),
    ("kau", "kby knc krt"),
    ("kln", "enb eyo niq oki pko sgc spy tec tuy"),
    ("kok", "gom knn"),
    ("kom", "koi kpv"),
    ("kon", "kng kwy ldi"),
    ("kpe", "gkp xpe"),
    ("kur", "ckb kmr sdh"),
    ("lah", "hnd hno jat phr pnb skr xhe"),
    ("lav", "ltg lvs"),
    ("luy", "bxk ida lkb lko lks lri lrm lsm lto lts lwg nle nyd rag"),
    ("man", "emk mku mlq mnk msc mwk"),
    ("mlg", "bhr bmm bzc msh plt skg tdx tkg txy xmv xmw"),
    ("mon", "khk mvf"),
    (
        "msa",
        "bjn btj bve bvu coa dup hji ind jak jax kvb kvr kxd lce lcf liw max meo mfa mfb min mqg msi mui \
         orn ors pel pse tmw urk vkk vkt xmm zlm zmi zsm",
    ),
    ("mwr", "dhd mtr mve rwr swv wry"),
    ("nep", "dty npi"),
    ("nor", "nno nob"),
    ("oji", "ciw ojb ojc ojg ojs ojw otw"),
    ("ori", "ory spv"),
    ("orm", "gax gaz hae orc"),
    ("pus", "pbt pbu pst"),
    (
        "que",
        "qub qud quf qug quh quk qul qup qur qus quw qux quy quz qva qvc qve qvh qvi qvj qvl qvm qvn qvo \
         qvp qvs qvw qvz qwa qwc qwh qws qxa qxc qxh qxl qxn qxo qxp qxr qxt qxu qxw",
    ),
    ("raj", "bgq gda gju hoj mup wbr"),
    ("rom", "rmc rmf rml rmn rmo rmw rmy"),
    ("san", "cls vsn"),
    ("sqi", "aae aat aln als"),
    ("srd", "sdc sdn src sro"),
    ("swa", "swc swh"),
    ("syr", "aii cld"),
    ("tmh", "taq thv thz ttq"),
    ("uzb", "uzn uzs"),
    ("yid", "ydd yih"),
    (
        "zap",
        "zaa zab zac zad zae zaf zai zam zao zaq zar zas zat zav zaw zax zca zcd zoo zpa zpb zpc zpd zpe \
         zpf zpg zph zpi zpj zpk zpl zpm zpn zpo zpp zpq zpr zps zpt zpu zpv zpw zpx zpy zpz zsr zte ztg \
         ztl ztm ztn ztp ztq zts ztt ztu ztx zty",
    ),
    ("zha", "zch zeh zgb zgm zgn zhd zhn zlj zln zlq zqe zyb zyg zyj zyn zzj"),
    ("zho", "cdo cjy cmn cnp cpx csp czh czo gan hak hnm hsn luh lzh mnp nan sjc wuu yue"),
    ("zza", "diq kiu"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_holds_codes_of_iso_639_3() {
        assert!(ALL.is_sorted_by(|left, right| left.0 < right.0));
        for (whole, members) in ALL {
            for code in members.split(' ').chain([*whole]) {
                assert!(
                    code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_lowercase()),
                    "{whole}: {code:?}"
                );
            }
        }
        assert_eq!(members("swa").collect::<Vec<_>>(), ["swc", "swh"]);
        assert_eq!(members("ind").count(), 0);
    }
}
