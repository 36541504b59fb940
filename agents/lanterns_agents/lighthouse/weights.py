"""The weights of expert play of Lighthouse Architects: what they mean, and the ranges in which they are tuned."""

BOUNDS: dict[str, tuple[float, float]] = {
    "near": (0.0, 1.5),  # weight of stones near to orders
    "near_public": (0.0, 1.5),  # of public orders beside own ones
    "near_laid": (0.0, 1.5),  # of orders laid before others
    "near_exposed": (-1.0, 1.0),  # of orders that others would lay or take from the viewer
    "height_1": (0.0, 0.3),  # of an island with one stone of an order
    "height_2": (0.0, 0.6),
    "height_3": (0.0, 1.0),
    "care": (0.0, 1.5),  # what the next player can surely win in his turn
    "care_hidden": (0.0, 1.5),  # what he may win if he holds the order
    "hope": (0.0, 1.5),  # what the viewer could win if it were his turn again
    "choices": (0.0, 0.5),  # every further order that he could finish then
}
NAMES = tuple(BOUNDS)
(
    NEAR,
    NEAR_PUBLIC,
    NEAR_LAID,
    NEAR_EXPOSED,
    HEIGHT_1,
    HEIGHT_2,
    HEIGHT_3,
    CARE,
    CARE_HIDDEN,
    HOPE,
    CHOICES,
) = range(len(NAMES))
