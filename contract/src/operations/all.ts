// All operations of the public port by id; a new group adds its lines here and nowhere else.

import { getAccount, listFills, listOrders, listPositions } from './account.ts';
import { createMarket, listTemplates } from './composer.ts';
import { listKeys, mintKey, mintSandboxKey, revokeKey } from './keys.ts';
import { getLqfConfig } from './liquidity.ts';
import { getMarket, getOrderBook, listCandles, listMarkets, listTrades } from './markets.ts';
import { batchOrders, cancelAllOrders, heartbeat } from './order-sets.ts';
import { amendOrder, cancelOrder, getOrder, placeOrder } from './orders.ts';
import { convertPosition, getBalance, listLedger } from './portfolio.ts';
import { resetSandbox, settleWithMockOracle, useFaucet } from './sandbox.ts';
import { changePassword, logIn, logOut, register } from './sessions.ts';
import { getHealth } from './system.ts';
import { webhookOperations } from './webhooks.ts';

export const operations = Object.freeze({
  getHealth,
  listMarkets,
  getMarket,
  listCandles,
  getOrderBook,
  listTrades,
  listTemplates,
  createMarket,
  getAccount,
  listPositions,
  listOrders,
  listFills,
  placeOrder,
  getOrder,
  amendOrder,
  cancelOrder,
  batchOrders,
  cancelAllOrders,
  heartbeat,
  mintKey,
  listKeys,
  revokeKey,
  mintSandboxKey,
  useFaucet,
  resetSandbox,
  settleWithMockOracle,
  getLqfConfig,
  getBalance,
  listLedger,
  convertPosition,
  register,
  logIn,
  logOut,
  changePassword,
  ...webhookOperations,
});
