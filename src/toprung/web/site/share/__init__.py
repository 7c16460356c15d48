"""What of a board goes elsewhere: feed, card, badges, mails."""
