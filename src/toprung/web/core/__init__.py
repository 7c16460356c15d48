"""What is stored, who may touch it, and how it is set up; decides and renders nothing."""
