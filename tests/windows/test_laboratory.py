"""Full screen that only the experimenter leaves, and visits of a study."""

from __future__ import annotations

import pytest

from tests.window.start import test_start_screen
from tests.window.study import test_visits

pytestmark = pytest.mark.window

test_a_session_on_the_whole_screen_is_left_with_the_experimenters_code_alone = (
    test_start_screen.test_a_session_on_the_whole_screen_is_left_with_the_experimenters_code_alone
)
test_in_full_screen_only_the_experimenters_code_ends_a_wait_and_brings_the_next_participant = (
    test_visits.test_in_full_screen_only_the_experimenters_code_ends_a_wait_and_brings_the_next_participant
)
test_two_participants_go_through_a_whole_study_and_a_used_code_is_refused = (
    test_visits.test_two_participants_go_through_a_whole_study_and_a_used_code_is_refused
)
test_a_game_goes_on_with_its_chat_after_the_program_was_killed = (
    test_visits.test_a_game_goes_on_with_its_chat_after_the_program_was_killed
)
