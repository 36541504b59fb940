"""How wide words are: pictures keep to it whatever letters a machine has."""

FAMILY = "Aileron, Helvetica, Arial, 'Liberation Sans', sans-serif"
FILES = {False: "Aileron-Regular.ttf", True: "Aileron-Bold.ttf"}  # by whether they are bold
FIRST = 32  # the blank, the first of the letters measured
UNIT = 1000.0  # of a width, in sizes of a letter
WIDEST = 1.25  # what common letters take in a renderer that neither has these nor keeps to a length

REGULAR = (
    *(216, 242, 339, 580, 580, 740, 654, 176, 315, 315, 560, 580, 220, 274, 220, 303),  # from the blank
    *(580, 580, 580, 580, 580, 580, 580, 580, 580, 580, 220, 220, 580, 580, 580, 499),  # from 0
    *(852, 639, 627, 699, 709, 587, 567, 710, 730, 264, 544, 609, 575, 866, 718, 737),  # from @
    *(598, 733, 619, 585, 612, 682, 622, 952, 625, 581, 591, 307, 303, 295, 580, 500),  # from P
    *(300, 531, 611, 529, 615, 549, 290, 615, 593, 238, 233, 522, 247, 855, 593, 586),  # from `
    *(611, 615, 330, 459, 313, 592, 514, 785, 482, 513, 462, 303, 250, 303, 580),  # from p
)
BOLD = (
    *(194, 263, 378, 625, 625, 763, 673, 200, 363, 362, 599, 625, 245, 296, 245, 327),
    *(625, 625, 625, 625, 625, 625, 625, 625, 625, 625, 245, 245, 625, 625, 625, 549),
    *(895, 676, 657, 718, 731, 616, 593, 737, 752, 292, 596, 683, 604, 897, 760, 765),
    *(623, 765, 654, 608, 623, 702, 688, 987, 676, 626, 622, 364, 327, 358, 625, 500),
    *(300, 562, 643, 561, 645, 578, 338, 645, 621, 266, 260, 583, 279, 916, 621, 606),
    *(643, 645, 380, 497, 361, 618, 566, 831, 541, 565, 497, 373, 284, 373, 625),
)
OTHER = 1000  # a letter that is not among them


def length(words: str, size: float, bold: bool = False) -> float:
    """How long a line of words is, in the unit of the size of its letters."""
    widths = BOLD if bold else REGULAR
    places = (ord(letter) - FIRST for letter in words)
    return size / UNIT * sum(widths[place] if 0 <= place < len(widths) else OTHER for place in places)
