"""Compound claims are split into parts that stand alone, and everything else stays whole."""

from __future__ import annotations

import pytest

from claimscope.claims.compound import split_compound

SPLIT = {
    "Aspirin reduces pain but increases bleeding.": (
        "Aspirin reduces pain.",
        "Aspirin increases bleeding.",
    ),
    "Aspirin reduces pain and increases bleeding.": (
        "Aspirin reduces pain.",
        "Aspirin increases bleeding.",
    ),
    "Aspirin reduces fever and inflammation.": (
        "Aspirin reduces fever.",
        "Aspirin reduces inflammation.",
    ),
    "Smoking and obesity increase cancer risk.": (
        "Smoking increases cancer risk.",
        "Obesity increases cancer risk.",
    ),
    "Statins and aspirin prevent strokes.": (
        "Statins prevent strokes.",
        "Aspirin prevents strokes.",
    ),
    "Aspirin, but not paracetamol, reduces inflammation.": (
        "Aspirin reduces inflammation.",
        "Paracetamol does not reduce inflammation.",
    ),
    "Statins prevent strokes in men but not in women.": (
        "Statins prevent strokes in men.",
        "Statins do not prevent strokes in women.",
    ),
    "Metformin lowers glucose but not mortality.": (
        "Metformin lowers glucose.",
        "Metformin does not lower mortality.",
    ),
    "Vitamin D reduces the risk of falls but not fractures.": (
        "Vitamin D reduces the risk of falls.",
        "Vitamin D does not reduce the risk of fractures.",
    ),
    "Aspirin lowers the risk of heart attack and stroke.": (
        "Aspirin lowers the risk of heart attack.",
        "Aspirin lowers the risk of stroke.",
    ),
    "Aspirin lowers the risk of heart attack, and beta-carotene prevents lung cancer.": (
        "Aspirin lowers the risk of heart attack.",
        "Beta-carotene prevents lung cancer.",
    ),
    "Vitamin C prevents colds, but zinc shortens colds.": (
        "Vitamin C prevents colds.",
        "Zinc shortens colds.",
    ),
    "The MMR vaccine is safe and effective.": (
        "The MMR vaccine is safe.",
        "The MMR vaccine is effective.",
    ),
    "The MMR vaccine is safe and does not cause autism.": (
        "The MMR vaccine is safe.",
        "The MMR vaccine does not cause autism.",
    ),
    "Coffee not only improves alertness but also raises blood pressure.": (
        "Coffee improves alertness.",
        "Coffee raises blood pressure.",
    ),
    "Masks can reduce transmission and prevent infections.": (
        "Masks can reduce transmission.",
        "Masks can prevent infections.",
    ),
    "Exercise does not reduce weight but improves mood.": (
        "Exercise does not reduce weight.",
        "Exercise improves mood.",
    ),
    "Smoking is associated with lung cancer and emphysema.": (
        "Smoking is associated with lung cancer.",
        "Smoking is associated with emphysema.",
    ),
    "Smoking and alcohol are associated with cancer.": (
        "Smoking is associated with cancer.",
        "Alcohol is associated with cancer.",
    ),
    "Ibuprofen relieves pain, lowers fever, and reduces swelling.": (
        "Ibuprofen relieves pain.",
        "Ibuprofen lowers fever.",
        "Ibuprofen reduces swelling.",
    ),
    "Metformin lowers glucose and reduces weight in obese children.": (
        "Metformin lowers glucose in obese children.",
        "Metformin reduces weight in obese children.",
    ),
    "Dexamethasone reduces mortality in ventilated patients; remdesivir shortens recovery.": (
        "Dexamethasone reduces mortality in ventilated patients.",
        "Remdesivir shortens recovery.",
    ),
    "Aspirin prevents strokes. Warfarin prevents clots.": (
        "Aspirin prevents strokes.",
        "Warfarin prevents clots.",
    ),
    "Metformin lowered glucose and improved survival.": (
        "Metformin lowered glucose.",
        "Metformin improved survival.",
    ),
    "Vaccines do not cause autism and do not weaken immunity.": (
        "Vaccines do not cause autism.",
        "Vaccines do not weaken immunity.",
    ),
    "Red meat and air pollution cause colon cancer.": (
        "Red meat causes colon cancer.",
        "Air pollution causes colon cancer.",
    ),
    "Alcohol reduces both anxiety and insomnia.": (
        "Alcohol reduces anxiety.",
        "Alcohol reduces insomnia.",
    ),
    "Statins reduce heart attacks while antioxidants increase mortality.": (
        "Statins reduce heart attacks.",
        "Antioxidants increase mortality.",
    ),
    "Ginger reduces nausea and pain in pregnant women.": (
        "Ginger reduces nausea in pregnant women.",
        "Ginger reduces pain in pregnant women.",
    ),
    "Caffeine, nicotine and alcohol impair sleep.": (
        "Caffeine impairs sleep.",
        "Nicotine impairs sleep.",
        "Alcohol impairs sleep.",
    ),
    "Both smoking and obesity increase mortality.": (
        "Smoking increases mortality.",
        "Obesity increases mortality.",
    ),
    "Vitamin C and vitamin E reduce cataracts.": (
        "Vitamin C reduces cataracts.",
        "Vitamin E reduces cataracts.",
    ),
    "Vitamin D does not prevent falls and increases fractures.": (
        "Vitamin D does not prevent falls.",
        "Vitamin D increases fractures.",
    ),
    "Smoking damages airway cilia and impairs clearance.": (
        "Smoking damages airway cilia.",
        "Smoking impairs clearance.",
    ),
    "Statins were associated with myopathy and diabetes.": (
        "Statins were associated with myopathy.",
        "Statins were associated with diabetes.",
    ),
    "Masks are effective against influenza and are harmless.": (
        "Masks are effective against influenza.",
        "Masks are harmless.",
    ),
}

WHOLE = [
    "Aspirin lowers the risk of heart attack.",
    "The drug reduces signs and symptoms of arthritis.",
    "There is a difference in mortality between men and women.",
    "Aspirin and clopidogrel together reduce strokes.",
    "The combination of aspirin and warfarin increases bleeding.",
    "Aspirin is more effective than warfarin and heparin.",
    "Vitamin D reduces heart and lung disease.",
    "Drinking between 2 and 3 cups of coffee reduces mortality.",
    "Smoking reduces lung cancer survival and mortality.",
    "Aspirin reduces acute and chronic pain.",
    "Exercise reduces systolic and diastolic blood pressure.",
    "Diet and exercise reduce weight.",
    "Aspirin does not reduce pain and fever.",
    "Drugs that block ACE and inhibit renin lower blood pressure.",
    "Aspirin reduces pain or fever.",
    "Omega-3 fatty acids lower the risk of heart attack.",
    "Metformin acts by inhibiting mTOR and activating AMPK.",
    "Statins reduce mortality in men and women.",
    "Studies show that aspirin reduces pain and increases bleeding.",
    "Head and neck cancer is caused by smoking.",
    "Vitamin C and E reduce cataracts.",
    "Tissue damage and stress increase risk.",
    "Heart and kidney disease increase mortality.",
    "Aspirin reduces cardiovascular morbidity and mortality.",
    "Anxiety and depression are correlated.",
    "Type 1 and type 2 diabetes increase mortality.",
    "Mindfulness reduces stress and anxiety levels.",
    "Fish oil reduces pre- and postnatal depression.",
    "Low doses of aspirin prevent heart attack and stroke mortality.",
    "Mice lacking p53 and Rb develop tumors.",
    "Increased intake and reduced sleep cause obesity.",
    "Patients treated with aspirin and warfarin bleed.",
    "Smoking increases the incidence and severity of asthma.",
    "Aspirin reduces pain and its metabolites cause ulcers.",
    "Interaction of genes and environment causes asthma.",
    "Vaccination reduces infections and deaths during epidemics.",
    "Sleep and memory are linked.",
    "Black and white rice lower cholesterol.",
    "Causes and effects of smoking increase costs.",
    "Whether aspirin reduces pain and fever is unclear.",
    "If patients take aspirin, pain and fever decrease.",
    "Beta-carotene supplements prevent lung cancer.",
    "Folic acid prevents spina bifida.",
    "Men and women have different risks.",
    "Aspirin reduces mortality by inhibiting platelets and lowering fever.",
    "Exercise improves memory but not significantly.",
    "Statins reduce some symptoms but not all.",
    "Few drugs reduce pain and improve sleep.",
    "Calcium and vitamin D prevent fractures.",
    "Aspirin reduced inflamed and damaged tissue.",
    # Five parts are a list, and rarely one statement.
    "Caffeine, nicotine, alcohol, cannabis and sugar impair sleep.",
    "",
    "and",
]


@pytest.mark.parametrize("claim", SPLIT)
def test_a_compound_claim_is_split(claim: str) -> None:
    assert split_compound(claim) == SPLIT[claim]


@pytest.mark.parametrize("claim", WHOLE)
def test_what_may_be_one_statement_stays_whole(claim: str) -> None:
    assert split_compound(claim) == (claim,)


def test_most_of_the_table_must_not_be_split() -> None:
    assert len(WHOLE) >= len(SPLIT) >= 30


@pytest.mark.parametrize("claim", SPLIT)
def test_parts_are_not_split_again_and_white_space_is_no_matter(claim: str) -> None:
    assert all(split_compound(part) == (part,) for part in SPLIT[claim])
    assert split_compound(f"  {claim.replace(' ', '  ')} ") == SPLIT[claim]


def test_a_long_claim_takes_little_time() -> None:
    long = "Aspirin " + "reduces pain and " * 120 + "fever."
    assert split_compound(long) == (long,)
