// Gives every new order a client_order_id, so that a placement whose answer was lost can be found again.

type Described = { readonly group: string; readonly name: string };

export function nameOrders(
  operation: Described,
  body: unknown,
  query: Readonly<Record<string, unknown>>,
): unknown {
  if (operation.group !== 'orders' || !isRecord(body) || query.dry_run === true) return body;
  if (operation.name === 'place') return named(body);
  if (operation.name !== 'batch' || !Array.isArray(body.items)) return body;
  return { ...body, items: body.items.map(namedItem) };
}

function namedItem(item: unknown): unknown {
  if (!isRecord(item) || item.action !== 'place' || !isRecord(item.order)) return item;
  return { ...item, order: named(item.order) };
}

function named(order: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (order.client_order_id !== undefined) return order;
  return { ...order, client_order_id: `sdk-${crypto.randomUUID()}` };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
