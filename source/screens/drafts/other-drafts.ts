/** Describes the drafts that belong to other services or accounts; undefined if there are none. */
export function describeDraftsElsewhere(places: readonly string[]): string | undefined {
	if (places.length === 0) return undefined;
	const countText = places.length === 1 ? '1 draft is' : `${places.length} drafts are`;
	return `${countText} elsewhere: ${[...new Set(places)].join('; ')}.`;
}
