"""Where does someone judge? Below the key of a campaign, which tells nothing of the board."""

from __future__ import annotations

from django.urls import path

from toprung.web.site.judging import arriving, ending, pairs

HERE = "judge/<str:key>"
urlpatterns = [
    path(f"{HERE}/", arriving.arrive, name="judging"),
    path(f"{HERE}/consent/", arriving.ask_consent, name="judging_consent"),
    path(f"{HERE}/guidelines/", arriving.show_guidelines, name="judging_guidelines"),
    path(f"{HERE}/ready/", arriving.get_ready, name="judging_ready"),
    path(f"{HERE}/pairs/", pairs.show_pair, name="judging_pairs"),
    path(f"{HERE}/task.json", pairs.send_task, name="judging_task"),
    path(f"{HERE}/answer/", pairs.take_answer, name="judging_answer"),
    path(f"{HERE}/undo/", pairs.take_back, name="judging_undo"),
    path(f"{HERE}/hand-in/", ending.hand_in_task, name="judging_hand_in"),
    path(f"{HERE}/exit/", ending.leave_task, name="judging_exit"),
    path(f"{HERE}/thanks/", ending.show_thanks, name="judging_thanks"),
    path(f"{HERE}/more/", ending.judge_more, name="judging_more"),
    path(f"{HERE}/delete/", ending.delete_data, name="judging_delete"),
    path(f"{HERE}/tell/", ending.tell, name="judging_tell"),
]
