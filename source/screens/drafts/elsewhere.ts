/** Describes the drafts that belong to other places, in a sentence; undefined if none. */
export function describeDraftsElsewhere(places: readonly string[]): string | undefined {
	if (places.length === 0) return undefined;
	const belong = places.length === 1 ? '1 draft belongs' : `${places.length} drafts belong`;
	return `${belong} elsewhere: ${[...new Set(places)].join('; ')}.`;
}
