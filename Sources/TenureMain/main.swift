print("tenure")
