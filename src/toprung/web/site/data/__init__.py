"""Where is what a board offers to work with? Its pages, and those where organisers give it."""
