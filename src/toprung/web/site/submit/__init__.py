"""The pages by which a run is sent."""
