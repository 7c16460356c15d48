"""What is put in order now and then, without anyone asking?"""
